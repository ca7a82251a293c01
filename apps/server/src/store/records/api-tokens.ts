import { AppError } from '@qd/core/errors'
import type { MutableRecords } from './records.ts'
import type { ApiTokenRow } from './rows.ts'

export const tokenPrefix = 'nzp_'

export interface MutableApiTokens extends MutableRecords<ApiTokenRow> {
  byText(text: string): ApiTokenRow | undefined
  used(id: number, from: string): Promise<void>
}

/** `text`: see contract http-api 2.6. */
export function badToken(text: string): AppError {
  return new AppError('badToken', { text: `ApiErrorUnauthorized: ${text}` })
}
