import type { AnyRow, Resource } from '@qd/core/define'
import { account, frameNeeds, neededBy, resources } from '@qd/core/resources'
import { safeJson } from '../http/answer.ts'

/** Answers a reading call (a path below `/api/v1/`) as its route would, in the name of whoever asks for the page. */
export type AskApi = (path: string) => Promise<Response>

/** Longer answers would hold up the page: it fetches them itself, at once. In characters. */
const maxLength = 32_000

/** Begins the calls whose answers are too long to stand in the page, before the console's code has come, and reads them to the end: one that nobody reads stays open. */
const fetchAtOnce = `(()=>{const e=document.getElementById('first-answers'),f=JSON.parse(e.textContent);e.remove();f.fetched={}
for(const p of f.fetches)(f.fetched[p]=fetch('/api/v1/'+p,{headers:{Accept:'application/json'}}).then(async r=>({ok:r.ok,headers:r.headers,body:await r.text()}))).catch(()=>{})
globalThis.firstAnswers=f})()`

/** The markup that brings answers into a page, and the cookies of those answers. */
export interface FirstAnswers {
  markup: string
  cookies: readonly string[]
}

/**
 * What the console's page at this path asks for first, so that it need not wait for its code to ask (issue 17). Null for a guest. No secret is
 * in it: those of one's own account are left out, and records that have any are fetched. `apps/web/src/base/first-answers.ts` reads it.
 */
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

/** The lists that the page of a resource shows. Lists in pages are asked for with a page, which only the console knows. */
function listsOf(path: string): readonly Resource[] {
  const own = resources.find((resource) => path === resource.path || path === `${resource.path}/`)
  const names = new Set<string>([...(own ? [own.name, ...neededBy(own)] : []), ...frameNeeds])
  // Hosts are read for who looks, while they look.
  if (own?.wire.paging === 'server' || own?.host) names.delete(own.name)
  // It stands in the page already, and its own page asks for what is secret in it.
  names.delete(account.name)
  return resources.filter(({ name }) => names.has(name))
}

/** The answer with the account's record, less what only its own page shows; null for a refusal, which may have status 200 (contract http-api 1.3). */
function withoutSecrets(text: string): string | null {
  const answer = JSON.parse(text) as { data?: AnyRow }
  if (!answer.data) return null
  // Dashboards of 1.x send the hash of the password.
  const isShown = (name: string) => name !== 'password' && account.fields[name]?.kind !== 'secret'
  const shown = Object.entries(answer.data).filter(([name]) => isShown(name))
  return safeJson(JSON.stringify({ ...answer, data: Object.fromEntries(shown) }))
}
