import { type Cookies, cookieOf, type Fetch, type OpenSocket, type Ports } from '@qd/core/api'
import { takeFirstAnswer } from './first-answers.ts'

/** Requests sent during page hide use `keepalive` (behaviour P-22). */
let isLeaving = false
addEventListener('pagehide', () => (isLeaving = true), { capture: true })
addEventListener('pageshow', () => (isLeaving = false))

const send: Fetch = async ({ method, url, headers, body, signal }) => {
  const first = method === 'GET' ? await takeFirstAnswer(url) : null
  if (first) return first
  const response = await fetch(url, {
    method,
    headers,
    signal,
    credentials: 'same-origin',
    keepalive: isLeaving,
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, setCookies: [], text: () => response.text() }
}

const openSocket: OpenSocket = ({ url, protocols }, { open, message, close }) => {
  const socket = new WebSocket(url, [...protocols])
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => open(socket.protocol)
  socket.onmessage = ({ data }) => message(typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer))
  socket.onclose = ({ code, reason }) => close(code, reason)
  return {
    send: (data) => socket.send(data as string),
    close: () => socket.close(),
    buffered: () => socket.bufferedAmount,
  }
}

export function followNetwork({ disconnect, retryNow }: { disconnect(): void; retryNow(): void }): void {
  addEventListener('offline', disconnect)
  addEventListener('online', retryNow)
}

function forgiving<Value>(action: () => Value, otherwise: Value): Value {
  try {
    return action()
  } catch {
    return otherwise
  }
}

export const tabStorage = {
  get: (key: string) => forgiving(() => sessionStorage.getItem(key), null),
  set: (key: string, value: string) => forgiving(() => sessionStorage.setItem(key, value), undefined),
}

/** Yields to input and drawing but not to other pending work; not in every browser. */
const { scheduler } = globalThis as { scheduler?: { yield(): Promise<void> } }

export const whenIdle: (run: () => void, options?: { timeout: number }) => unknown =
  globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500))

/** A message is the next turn; a timer would take 4 ms each time. */
function afterMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

export const ports: Ports = {
  now: () => Date.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  fetch: send,
  openSocket,
  random: () => Math.random(),
  storage: {
    get: (key) => forgiving(() => localStorage.getItem(key), null),
    set: (key, value) => forgiving(() => localStorage.setItem(key, value), undefined),
    delete: (key) => forgiving(() => localStorage.removeItem(key), undefined),
  },
  pause: () => scheduler?.yield() ?? afterMessage(),
}

export const cookies: Cookies = {
  get: (name) => cookieOf(document.cookie, name),
  delete: (name) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not in every browser
    document.cookie = `${name}=; Max-Age=0; path=/`
  },
}

export const platform: 'mac' | 'other' = /Mac|iPhone|iPad/.test(navigator.platform) ? 'mac' : 'other'

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

/** The old way, which needs no permission and works on plain HTTP. */
function copyByEvent(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', fill, { capture: true })
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', fill, { capture: true })
  }
}

/** A timer of what only matters on screen: while the page is hidden it waits, and runs when the page is shown again. */
export const setShownTimer: Ports['setTimer'] = (run, ms) => {
  const shown = () => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', shown)
    run()
  }
  const cancel = ports.setTimer(() => {
    document.addEventListener('visibilitychange', shown)
    shown()
  }, ms)
  return () => {
    cancel()
    document.removeEventListener('visibilitychange', shown)
  }
}
