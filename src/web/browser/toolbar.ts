import { html, nothing, type TemplateResult } from "lit-html";

/** A button of a group. `hint` is its tooltip. */
export type Choice<Value extends string> = {
  value: Value;
  text: string;
  isDisabled?: boolean;
  hint?: string;
};

/** Returns the buttons of one setting in a chart's toolbar. The current choice is pressed. */
export function choiceButtons<Value extends string>(
  choices: readonly Choice<Value>[],
  current: Value | null,
  onChoose: (value: Value) => void,
): TemplateResult[] {
  return choices.map(
    ({ value, text, isDisabled = false, hint }) =>
      html`<button type="button" class="chip-button" value=${value} ?disabled=${isDisabled} title=${hint ?? nothing}
aria-pressed=${value === current ? "true" : "false"} @click=${() => onChoose(value)}>${text}</button>`,
  );
}
