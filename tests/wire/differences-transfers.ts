import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

/** How ours differs in transfers of ownership. */
export const transfers: readonly Difference[] = [
  { file: 'transfers', step: 'list: id filter', at: [/^body\.data$/], why: 'the filter finds what it names' },
  { file: 'transfers', step: 'retry: unknown', error: 'transfer id 99 does not exist', why: asUnknown },
  { file: 'transfers', step: 'cancel: unknown', error: 'transfer id 99 does not exist', why: asUnknown },
]
