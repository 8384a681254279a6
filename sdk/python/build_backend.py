"""Build backend of the source distribution (PEP 517). It needs no other package, and no network."""

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

METADATA = Path(__file__).with_name("PKG-INFO")


def _name() -> str:
    return "pennytext-" + re.search(r"^Version: (.+)$", METADATA.read_text("utf-8"), re.MULTILINE)[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{_name()}.dist-info"
    files = {path.as_posix(): path.read_bytes() for path in sorted(Path("pennytext").glob("*.*"))}
    files[f"{info}/METADATA"] = METADATA.read_bytes()
    files[f"{info}/LICENSE"] = Path("LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = Path("WHEEL").read_bytes()
    hashes = {path: base64.urlsafe_b64encode(hashlib.sha256(text).digest()) for path, text in files.items()}
    record = [f"{path},sha256={hashes[path].decode().rstrip('=')},{len(text)}" for path, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,\n"]).encode()
    wheel = f"{_name()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    with tarfile.open(Path(sdist_directory, f"{_name()}.tar.gz"), "w:gz") as archive:
        for path in ("PKG-INFO", "WHEEL", "LICENSE", "README.md", "pyproject.toml", "build_backend.py", "pennytext"):
            archive.add(path, f"{_name()}/{path}")
    return f"{_name()}.tar.gz"
