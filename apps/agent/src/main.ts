import manifest from '../../../package.json' with { type: 'json' }
import { startAgent } from './agent.ts'
import { createMachine, createProcess, createSettingsSource } from './host.ts'
import { loadSettings, UsageError, usage } from './settings.ts'

const { print, onStop, exit } = createProcess()
const machine = createMachine()
const source = createSettingsSource()

if (source.args.includes('--help')) {
  print(usage)
} else if (source.args.includes('--version')) {
  print(manifest.version)
} else {
  const settings = await loadSettings(source).catch((error) => {
    if (!(error instanceof UsageError)) throw error
    machine.log(`${error.message}; --help tells more`)
    return exit(2)
  })
  const agent = startAgent({ settings, machine, version: manifest.version })
  machine.log(`reporting to ${settings.current.server} as ${settings.current.uuid}`)
  onStop(() => void agent.stop().then(() => exit(0)))
}
