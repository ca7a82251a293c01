/** All workspaces, those that others import first. */
export const workspaces = [
  'packages/protocol',
  'packages/core',
  'apps/web',
  'apps/tui',
  'apps/server',
  'apps/agent',
  'tests',
]

/** The workspaces that the arguments name (`apps/server` or `server`), all if none is named. */
export function namedWorkspaces(names) {
  if (names.length === 0) return workspaces
  return names.map((name) => {
    const found = workspaces.find((one) => one === name.replace(/\/$/, '') || one.endsWith(`/${name}`))
    if (found) return found
    process.stderr.write(`no workspace ${name}; there are ${workspaces.join(', ')}\n`)
    return process.exit(2)
  })
}
