import type { FetchResponse } from '@qd/core/api'

/** What the server put into the page (`apps/server/src/api/routes/first-answers.ts`). Keys are paths below `/api/v1/`. */
interface FirstAnswers {
  answers: Record<string, unknown>
  fetched: Record<string, Promise<{ ok: boolean; headers: Headers; body: string }>>
}

/** Answers that waited longer than this for the console's code are asked for anew, in ms since the page began. */
const staleMs = 30_000

/** The answer to a reading call that came with the page, or that the page asked for before its code was here; each only once. */
export async function takeFirstAnswer(url: string): Promise<FetchResponse | null> {
  const { firstAnswers: first } = globalThis as { firstAnswers?: FirstAnswers }
  const path = url.startsWith(`${location.origin}/api/v1/`)
    ? url.slice(location.origin.length + '/api/v1/'.length)
    : null
  if (!first || path === null || performance.now() > staleMs) return null
  const answer = first.answers[path]
  const fetched = first.fetched[path]
  delete first.answers[path]
  delete first.fetched[path]
  if (answer !== undefined)
    return { status: 200, headers: new Headers(), setCookies: [], text: async () => JSON.stringify(answer) }
  const response = await fetched?.catch(() => null)
  return response?.ok
    ? { status: 200, headers: response.headers, setCookies: [], text: async () => response.body }
    : null
}
