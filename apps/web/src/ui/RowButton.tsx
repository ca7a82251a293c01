import type { ComponentProps } from 'react'

/**
 * A button inside of a row. A plain one: react-aria's costs a third of a millisecond per row, and the row itself takes presses, of which this
 * one is none. Tab passes it over: what it does is reached by the row's actions.
 */
export function RowButton({
  onPress,
  ...props
}: Omit<ComponentProps<'button'>, 'onClick'> & { onPress: (button: HTMLButtonElement) => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      {...props}
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        onPress(event.currentTarget)
      }}
    />
  )
}
