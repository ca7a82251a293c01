import { execFileSync } from 'node:child_process'
import type { Program } from './program.ts'

/**
 * Whether the files of a running program may grow: `false` is a full disk to it, as each of its writes to a file fails. It is the
 * kernel's limit of file sizes, so that no disk has to be filled and nobody has to be root.
 */
export function setRoom({ child }: Pick<Program, 'child'>, hasRoom: boolean): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${hasRoom ? 'unlimited' : '1'}:`])
}
