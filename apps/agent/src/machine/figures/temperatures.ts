import type { State_SensorTemperature } from '@qd/protocol/agent'
import type { Machine } from '../machine.ts'

interface Sensor {
  name: string
  path: string
}

/** The server’s maximum. A host with 300 disks has as many sensors, each read from its disk. */
const most = 32
/** Drivers report 255 or 65,535 for missing sensors. */
const maxCelsius = 150

const hwmon = '/sys/class/hwmon'
const thermal = '/sys/class/thermal'

type Reading = Pick<Machine, 'read' | 'list'>

const findOnChip = async (machine: Reading, chip: string): Promise<Sensor[]> => {
  const text = async (file: string) => (await machine.read(`${hwmon}/${chip}/${file}`)).trim()
  const [name, files] = await Promise.all([text('name'), machine.list(`${hwmon}/${chip}`)])
  const sensors = files.flatMap((file) => /^(temp\d+)_input$/.exec(file)?.[1] ?? [])
  return Promise.all(
    sensors.map(async (sensor) => {
      const label = await text(`${sensor}_label`)
      const words = [name || chip, label.toLowerCase().replaceAll(' ', '_')].filter(Boolean)
      return { name: words.join('_'), path: `${hwmon}/${chip}/${sensor}_input` }
    }),
  )
}

const findSensors = async (machine: Reading, chips: readonly string[], zones: readonly string[]): Promise<Sensor[]> => {
  // Board chips first: disks are slow to answer.
  const found = (await Promise.all(chips.map((chip) => findOnChip(machine, chip)))).flat()
  const isDisk = ({ name }: Sensor) => /^(drivetemp|nvme)/.test(name)
  const ordered = [...found.filter((sensor) => !isDisk(sensor)), ...found.filter(isDisk)]
  if (ordered.length > 0) return ordered.slice(0, most)
  const named = zones
    .filter((zone) => /^thermal_zone\d+$/.test(zone))
    .slice(0, most)
    .map(async (zone) => ({
      name: (await machine.read(`${thermal}/${zone}/type`)).trim() || zone,
      path: `${thermal}/${zone}/temp`,
    }))
  return Promise.all(named)
}

/** Some ARM kernels write whole °C in thermal zones. */
const toCelsius = (text: string, path: string): number => {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  return path.startsWith(thermal) && value <= maxCelsius ? value : value / 1000
}

/** Reads sensors in °C, sorted by name, without implausible ones. Sensors are searched again when a chip comes or goes. */
export const createTemperatureReader = (machine: Reading): (() => Promise<State_SensorTemperature[]>) => {
  let known = { of: '', sensors: [] as Sensor[] }
  return async () => {
    const [chips, zones] = await Promise.all([machine.list(hwmon), machine.list(thermal)])
    const of = [...chips, ...zones].join()
    if (of !== known.of) known = { of, sensors: await findSensors(machine, chips, zones) }
    const read = known.sensors.map(async ({ name, path }) => {
      return { name, temperature: toCelsius(await machine.read(path), path) }
    })
    return (await Promise.all(read))
      .filter(({ temperature }) => temperature > 0 && temperature <= maxCelsius)
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }
}
