import type { Command } from "../command.ts";

/** Returns the command that prints completions of shells for `commands` and itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    operands: ["bash|zsh|fish"],
    flags: {},
    settings: [],
    description: "print the completion of a shell: commands, flags, operations and their parameters",
    examples: [["completion bash", "write its output into ~/.local/share/bash-completion/completions/itemtape"]],
    explain: async () => [
      "",
      "  bash  source <(itemtape completion bash)      in ~/.bashrc",
      "  zsh   source <(itemtape completion zsh)       in ~/.zshrc, after compinit",
      "  fish  itemtape completion fish | source       in ~/.config/fish/config.fish",
    ],
    run: async (call) => (await import("../completion.ts")).completion(call, commands()),
  };
}
