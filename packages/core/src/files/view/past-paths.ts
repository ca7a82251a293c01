import type { Remembered } from '../../store/index.ts'

/** Paths that are kept for each server. */
const most = 20
const part = (server: number) => `paths:${server}`

/** The folders somebody was in on a server, the last one first. What cannot be read is as if there were none. */
export function pastPaths(remembered: Pick<Remembered, 'read'>, server: number): readonly string[] {
  const stored = remembered.read('server', part(server))
  return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string').slice(0, most) : []
}

/** Keeps a folder as the last one. */
export function keepPath(remembered: Pick<Remembered, 'read' | 'write'>, server: number, path: string): void {
  const others = pastPaths(remembered, server).filter((one) => one !== path)
  remembered.write('server', part(server), [path, ...others].slice(0, most))
}
