import { argument, commonOptions, type Command } from './command.js';
import { UsageError } from './terminal.js';

/** Writes completion scripts for the commands and their options. */
export function completionOf(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    usage: 'completion SHELL',
    about: 'Print a completion script for bash, zsh or fish.',
    details: `  bash: source <(pennytext completion bash)
  zsh:  source <(pennytext completion zsh)
  fish: pennytext completion fish | source`,
    run({ terminal }, args) {
      const script = scripts[argument(args, 0)];
      if (!script) throw new UsageError('Completion is for bash, zsh or fish.');
      terminal.print({ script: script(commands()) }, script(commands()));
      return Promise.resolve();
    },
  };
}

const optionsOf = ({ options }: Command) => Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`);

function bash(commands: Readonly<Record<string, Command>>): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words="${optionsOf(command).join(' ')}" ;;`,
  );
  return `_pennytext() {
  local words="${Object.keys(commands).join(' ')}" current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pennytext pennytext`;
}

const scripts: Readonly<Record<string, (commands: Readonly<Record<string, Command>>) => string>> = {
  bash,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish: (commands) =>
    Object.entries(commands)
      .flatMap(([name, command]) => [
        `complete -c pennytext -n __fish_use_subcommand -f -a ${name} -d '${command.about.replaceAll("'", '’')}'`,
        ...optionsOf(command).map(
          (option) => `complete -c pennytext -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
        ),
      ])
      .join('\n'),
};
