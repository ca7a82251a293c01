import { requestAsSeen } from '@qd/core/schemas'
import { useEffect, useState } from 'react'
import { client } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'

/** A call as the server sees it: `GET /capabilities`. */
interface Seen {
  host: string
  secure: boolean
}

/** Changes by a proxy, as text keys. If the server answers but the feed never opens, the proxy blocks it. */
export function proxyFaults(
  seen: Seen,
  here: Readonly<{ host: string; protocol: string }>,
): readonly ('host' | 'scheme' | 'upgrade')[] {
  if (seen.host.toLowerCase() !== here.host) return ['host']
  return here.protocol === 'https:' && !seen.secure ? ['scheme', 'upgrade'] : ['upgrade']
}

/** Explains why the live feed never opened, judged by other answers of the server. */
export function ProxyAdvice() {
  const { t } = useTexts()
  const [seen, setSeen] = useState<Seen | null>(null)
  useEffect(() => {
    client.send({ method: 'GET', path: 'capabilities' }).then(
      (answer) => setSeen(requestAsSeen().safeParse(answer).data?.seen ?? null),
      () => setSeen(null),
    )
  }, [])
  if (seen === null) return null
  const said = { here: location.host, seen: seen.host }
  return proxyFaults(seen, location).map((fault) => <div key={fault}>{t(`ui.proxy.${fault}`, said)}</div>)
}
