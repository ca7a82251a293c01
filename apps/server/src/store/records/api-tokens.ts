import { AppError } from '@qd/core/errors'
import type { MutableRecords } from './records.ts'
import type { ApiTokenRow } from './rows.ts'

/** How the text of every token begins. */
export const tokenPrefix = 'nzp_'

/** Tokens as the gate and their store see them. */
export interface MutableApiTokens extends MutableRecords<ApiTokenRow> {
  byText(text: string): ApiTokenRow | undefined
  /** Records a use of the token, without announcing it. */
  used(id: number, from: string): Promise<void>
}

/** Refuses a token. `text` is the contract's own (http-api 2.6). */
export function badToken(text: string): AppError {
  return new AppError('badToken', { text: `ApiErrorUnauthorized: ${text}` })
}
