import { Box } from 'ink'
import { useArea } from '../../screen/hooks.ts'
import type { Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput as Input } from '../../screen/terminal/text-input.ts'
import { Dialog, frameCells, Gap, Paragraph } from '../../screen/ui/Dialog.tsx'
import { Row, Rule, TextInput } from '../../screen/ui/rows.tsx'
import { createMenu } from './menu.ts'

interface Typed extends Omit<Overlay, 'keys' | 'spoken' | 'input'> {
  readonly input: Input
  readonly name: string
  readonly about?: readonly string[]
  keys(enter: Keys): Keys
  /** Null: Enter does nothing yet. */
  answer(): string | null
}

/** A line to type over the screen; null if canceled. */
function askOver(ui: Ui, { input, name, about = [], keys, answer, ...own }: Typed): Promise<string | null> {
  const { t } = ui.workspace
  return new Promise((resolve) => {
    let given: string | null = null
    const enter = () => {
      given = answer()
      if (given !== null) ui.close(overlay)
    }
    const overlay: Overlay = {
      ...own,
      isTyping: () => true,
      closed: () => resolve(given),
      keys: keys({ Enter: { hint: { text: t('ui.files.confirm') }, run: enter } }),
      input: input.input,
      spoken: () => [...about, t('ui.tui.spoken.field', { name, text: input.text || t('ui.tui.spoken.empty') })],
    }
    ui.open(overlay)
  })
}

interface LineRequest {
  title: string
  start: string
  help: string
  past?: readonly string[]
}

/** Asks at the bottom. `past`: earlier answers for the arrow keys, newest first. */
export function askLine(ui: Ui, { title, start, help, past = [] }: LineRequest): Promise<string | null> {
  const input = createTextInput(start)
  let own = start
  let at = -1
  const recall = (by: number) => () => {
    if (at === -1) own = input.text
    at = Math.max(-1, Math.min(past.length - 1, at + by))
    input.set(past[at] ?? own)
  }
  const up = past.length > 0 ? ({ hint: 'history', run: recall(1) } as const) : recall(1)
  function Shown() {
    const { columns } = useArea()
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Rule title={title} cells={columns} />
        {help !== '' && <Row line={line(` ${help}`, 'muted')} />}
        <TextInput before={line(' › ', 'accent')} input={input} cells={columns - 4} />
      </Box>
    )
  }
  return askOver(ui, {
    layer: 'menu',
    input,
    name: title,
    leaves: { text: ui.workspace.t('ui.frame.close') },
    keys: (enter) => ({ ...enter, ArrowUp: up, ArrowDown: recall(-1) }),
    answer: () => input.text,
    View: Shown,
  })
}

const boxCells = 76

/** Shows an address and asks for its page's code. */
export function askCode(ui: Ui, { title, address }: { title: string; address: string }): Promise<string | null> {
  const { t } = ui.workspace
  const input = createTextInput()
  function Shown() {
    const cells = Math.min(boxCells, useArea().columns - 2)
    const inner = cells - frameCells
    return (
      <Dialog title={title} cells={cells}>
        <Paragraph text={t('ui.cli.login.open')} cells={inner} styleRole="muted" />
        <Paragraph text={address} cells={inner} />
        <Gap />
        <Paragraph text={t('ui.cli.login.paste')} cells={inner} styleRole="muted" />
        <TextInput before={line('› ', 'accent')} input={input} cells={inner - 4} />
      </Dialog>
    )
  }
  return askOver(ui, {
    layer: 'confirm',
    input,
    name: t('ui.cli.login.paste'),
    about: [t('ui.cli.login.open'), address],
    // Escape works here even over the sign-in.
    commands: { escape: () => ui.close() },
    cliLine: () => address,
    leaves: 'cancel',
    // The program copies `cliLine`.
    keys: (enter) => ({ 'Ctrl+y': { hint: { text: t('ui.secret.copy') }, run: () => undefined }, ...enter }),
    answer: () => input.text.trim() || null,
    View: Shown,
  })
}

export function askChoice<Value>(
  ui: Ui,
  title: string,
  choices: readonly { label: string; value: Value }[],
): Promise<Value | null> {
  return new Promise((resolve) => {
    const items = choices.map(({ label, value }) => ({ label, run: () => resolve(value) }))
    // The menu closes before the choice runs.
    ui.open(createMenu(ui, title, items, () => queueMicrotask(() => resolve(null))))
  })
}
