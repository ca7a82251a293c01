import type { Caller } from '../../kernel/caller.ts'

/** One live connection of somebody who has the console or the public page open (contract engines 9). */
export interface Online {
  id: number
  caller: Caller
  /** Epoch ms. */
  connectedAt: number
  /** The `User-Agent`. */
  client: string
}
