import { requestAsSeen } from '@qd/core/schemas'
import { useEffect, useState } from 'react'
import { client } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { proxyFaults, type Seen } from './proxy-faults.ts'

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
