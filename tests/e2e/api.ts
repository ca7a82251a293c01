import type { Page } from '@playwright/test'

/** One API call as the person who is signed in on the page; returns its `data`. Throws with the answer's error. */
export async function callApi(page: Page, method: string, path: string, body?: unknown): Promise<unknown> {
  return page.evaluate(
    async ([method, path, body]) => {
      const token = decodeURIComponent(/nz-csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '')
      const answer = await fetch(`/api/v1/${path}`, {
        method: method as string,
        headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': token },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { data, error } = (await answer.json()) as { data?: unknown; error?: string }
      if (error) throw new Error(error)
      return data ?? null
    },
    [method, path, body] as const,
  )
}

/** Changes some settings and leaves the others. */
export async function changeSettings(page: Page, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const { config } = (await callApi(page, 'GET', 'setting')) as { config: Record<string, unknown> }
  await callApi(page, 'PATCH', 'setting', { ...config, ...changes })
}
