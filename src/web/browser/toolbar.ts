import { html, nothing, type TemplateResult } from "lit-html";

/** A button of a group. `hint` is its tooltip; `onPreview` is called with true when the pointer or the focus comes, with false when it leaves. */
export type Choice<Value extends string> = {
  value: Value;
  text: string;
  isDisabled?: boolean;
  hint?: string;
  onPreview?: (isShown: boolean) => void;
};

/** Returns the buttons of one choice in a chart's toolbar, the current one pressed. */
export function choiceButtons<Value extends string>(
  choices: readonly Choice<Value>[],
  current: Value | null,
  onChoose: (value: Value) => void,
): TemplateResult[] {
  return choices.map(
    ({ value, text, isDisabled = false, hint, onPreview = () => {} }) =>
      html`<button type="button" class="chip-button" value=${value} ?disabled=${isDisabled} title=${hint ?? nothing}
aria-pressed=${value === current ? "true" : "false"} @click=${() => onChoose(value)}
@pointerenter=${() => onPreview(true)} @focus=${() => onPreview(true)}
@pointerleave=${() => onPreview(false)} @blur=${() => onPreview(false)}>${text}</button>`,
  );
}
