import type { AnyRow, Resource } from '@qd/core/define'
import { account, frameNeeds, neededBy, resources } from '@qd/core/resources'
import { safeJson } from '../http/answer.ts'

export type AskApi = (path: string) => Promise<Response>

/** Longer answers would delay the page, which fetches them itself. In characters. */
const maxLength = 32_000

/** Starts the remaining calls before the console's code loads, and reads them fully: an unread response would stay open. */
const fetchAtOnce = `(()=>{const e=document.getElementById('first-answers'),f=JSON.parse(e.textContent);e.remove();f.fetched={}
for(const p of f.fetches)(f.fetched[p]=fetch('/api/v1/'+p,{headers:{Accept:'application/json'}}).then(async r=>({ok:r.ok,headers:r.headers,body:await r.text()}))).catch(()=>{})
globalThis.firstAnswers=f})()`

export interface FirstAnswers {
  markup: string
  cookies: readonly string[]
}

/** The data that a console page needs first; null for guests. Contains no secrets: the account's are removed, and lists with secrets are fetched. Read by `apps/web/src/base/first-answers.ts`. */
export async function firstAnswersOf(path: string, ask: AskApi): Promise<FirstAnswers | null> {
  const profile = await ask(account.wire.path)
  const own = profile.ok ? withoutSecrets(await profile.text()) : null
  if (own === null) return null
  const lists = listsOf(path)
  const answered = [
    [account.wire.path, own],
    ...(await Promise.all(
      ['capabilities', ...lists.filter(isOpen).map(pathOf)].map(
        async (call) => [call, await textOf(await ask(call))] as const,
      ),
    )),
  ] as const
  const answers = answered.filter(([, text]) => text !== null && text.length <= maxLength)
  const fetches = [
    ...answered.filter(([, text]) => text !== null && text.length > maxLength).map(([call]) => call),
    ...lists.filter((list) => !isOpen(list)).map(pathOf),
  ]
  const json = `{"answers":{${answers.map(([call, text]) => `${JSON.stringify(call)}:${text}`).join()}},"fetches":${JSON.stringify(fetches)}}`
  return {
    markup: `<script type="application/json" id="first-answers">${json}</script><script>${fetchAtOnce}</script>`,
    cookies: profile.headers.getSetCookie(),
  }
}

const pathOf = ({ wire }: Resource) => wire.calls.list.path
const isOpen = ({ fields }: Resource) => Object.values(fields).every(({ kind }) => kind !== 'secret')
const textOf = async (answer: Response) => (answer.ok ? answer.text() : null)

/** Paged lists depend on a page that only the console knows. */
function listsOf(path: string): readonly Resource[] {
  const own = resources.find((resource) => path === resource.path || path === `${resource.path}/`)
  const names = new Set<string>([...(own ? [own.name, ...neededBy(own)] : []), ...frameNeeds])
  // Hosts are read for who looks, while they look.
  if (own?.wire.paging === 'server' || own?.host) names.delete(own.name)
  // Already embedded without its secrets.
  names.delete(account.name)
  return resources.filter(({ name }) => names.has(name))
}

/** The account's answer without secrets; null for a refusal, which may have status 200 (contract http-api 1.3). */
function withoutSecrets(text: string): string | null {
  const answer = JSON.parse(text) as { data?: AnyRow }
  if (!answer.data) return null
  // Nezha 1.x sends the password hash.
  const isShown = (name: string) => name !== 'password' && account.fields[name]?.kind !== 'secret'
  const shown = Object.entries(answer.data).filter(([name]) => isShown(name))
  return safeJson(JSON.stringify({ ...answer, data: Object.fromEntries(shown) }))
}
