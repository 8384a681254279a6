export default function Dash() { return <h1>Dash</h1>; }
