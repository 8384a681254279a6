export async function finishBuild(): Promise<void> {}
