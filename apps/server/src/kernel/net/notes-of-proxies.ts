import type { Logger } from 'pino'

/** Proxies that are logged, of each kind. */
const mostTold = 20

/** Logs each proxy whose clients cannot be told apart, once: whoever runs one otherwise sees one address for everybody (S-04). */
export function notesOfProxies(log: Pick<Logger, 'warn'>) {
  const noting = (text: (header: string) => string) => {
    const told = new Set<string>()
    return (peer: string, header: string) => {
      if (told.has(`${peer} ${header}`) || told.size >= mostTold) return
      told.add(`${peer} ${header}`)
      log.warn({ address: peer }, text(header))
    }
  }
  return {
    onUntrusted: noting((header) => `${header} from this address is ignored; if it is your proxy, see --trust-proxy`),
    onSilent: noting(
      (header) => `this proxy does not send ${header}, the header in the settings; all its clients share one address`,
    ),
  }
}
