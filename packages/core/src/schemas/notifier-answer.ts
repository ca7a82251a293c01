import { parseJson } from '../errors/index.ts'
import type { FilledRequest } from './notifier-request.ts'

/** Providers that respond 200 with a `code`: `taken` means success. `sends`: a request body that only they accept. */
const coded: readonly { hosts: RegExp; taken: number; sends?: RegExp }[] = [
  { hosts: /(^|\.)(feishu\.cn|larksuite\.com)$/, taken: 0, sends: /"msg_type"\s*:/ },
  { hosts: /(^|\.)(ftqq\.com|ft07\.com)$/, taken: 0 },
  { hosts: /(^|\.)(day\.app|pushplus\.plus)$/, taken: 200 },
  { hosts: /(^|\.)zjiecheng\.com$/, taken: 1000 },
]

/** Bytes of a response that contain the provider’s result. */
export const answerBytes = 4096

/** The failure in a response with a success status, such as `errcode 310000`; null if there is none. */
export function failureIn({ url, body: sent }: FilledRequest, answer: string): string | null {
  const said = Object(parseJson(answer)) as Readonly<Record<string, unknown>>
  if (said.ok === false) return 'ok false'
  if (isNumber(said.errcode) && Number(said.errcode) !== 0) return `errcode ${said.errcode}`
  const { hostname } = new URL(url)
  const provider = coded.find(({ hosts, sends }) => hosts.test(hostname) || sends?.test(sent ?? ''))
  return provider && isNumber(said.code) && Number(said.code) !== provider.taken ? `code ${said.code}` : null
}

const isNumber = (value: unknown): value is number | string => /^-?\d{1,9}$/.test(String(value))
