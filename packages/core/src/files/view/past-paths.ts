import type { Remembered } from '../../store/index.ts'

const most = 20
const part = (server: number) => `paths:${server}`

/** The folders visited on a server, the latest first. Ignores what can’t be read. */
export function pastPaths(remembered: Pick<Remembered, 'read'>, server: number): readonly string[] {
  const stored = remembered.read('server', part(server))
  return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string').slice(0, most) : []
}

export function keepPath(remembered: Pick<Remembered, 'read' | 'write'>, server: number, path: string): void {
  const others = pastPaths(remembered, server).filter((one) => one !== path)
  remembered.write('server', part(server), [path, ...others].slice(0, most))
}
