import { settings } from "../config/config.ts";
import { displayText } from "../values/text/display-text.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { type Call, type Command, usageError } from "./command.ts";
import { operationList, parametersOf } from "./get/operations.ts";

/** Possible next words of a command line. */
type Choices = {
  /** First words of commands. */
  firsts: readonly string[];
  /** Further words by the words before, such as `keys` or `get getItem`. A parameter ends with `=`. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Flags by the name of the command. */
  flags: ReadonlyMap<string, readonly string[]>;
  /** Values by the name of the flag. */
  values: ReadonlyMap<string, readonly string[]>;
};

/** Returns the command that prints shell completions for `commands` and itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    operands: ["bash|zsh|fish"],
    flags: {},
    settings: [],
    description: "print the completion of a shell",
    example: "completion bash",
    explain: async () => [
      "",
      "  bash  source <(itemtape completion bash)      in ~/.bashrc",
      "  zsh   source <(itemtape completion zsh)       in ~/.zshrc, after compinit",
      "  fish  itemtape completion fish | source       in ~/.config/fish/config.fish",
    ],
    run: async (call) => completion(call, commands()),
  };
}

/**
 * Prints the completion of a shell, made from the command table.
 * @throws {OperatorError} for an unsupported shell.
 */
function completion(call: Call, commands: readonly Command[]): void {
  const shell = call.operands[0]!;
  const shells = { bash, zsh, fish };
  if (!Object.hasOwn(shells, shell)) {
    const known = Object.keys(shells);
    throw usageError(
      `unknown shell \`${displayText(shell)}\`${perhaps(shell, known)}; the shells are ${known.join(", ")}`,
    );
  }
  for (const line of shells[shell as keyof typeof shells](choicesOf(commands))) call.out.line(line);
}

function choicesOf(commands: readonly Command[]): Choices {
  const firsts = [...new Set([...commands.map(({ name }) => name.split(" ")[0]!), "help"])];
  const words = new Map<string, readonly string[]>();
  for (const first of firsts) {
    const family = commands.filter(({ name }) => name.startsWith(`${first} `));
    const seconds = family.map(({ name }) => name.split(" ")[1]!);
    if (seconds.length > 0) words.set(first, seconds);
  }
  words.set("help", firsts);
  words.set("completion", ["bash", "zsh", "fish"]);
  const operations = new Map(operationList().filter(([, { isStream }]) => !isStream));
  words.set("get", [...operations.keys()]);
  for (const [name, operation] of operations) {
    const parameters = Object.keys(parametersOf(operation)).map((one) => `${one}=`);
    if (parameters.length > 0) words.set(`get ${name}`, parameters);
  }
  const values = new Map<string, readonly string[]>();
  const flags = new Map(
    commands.map((command) => {
      for (const [name, { value = "" }] of Object.entries(command.flags)) {
        if (/^[a-z]+(\|[a-z]+)+$/.test(value)) values.set(`--${name}`, value.split("|"));
      }
      const own = Object.keys(command.flags).map((name) => `--${name}`);
      return [command.name, [...own, ...command.settings.map((name) => settings[name].flag), "--help"]] as const;
    }),
  );
  return { firsts, words, flags, values };
}

/** Formats a map as lines of a `case` or `switch`. Names contain only letters, digits, `-`, `=` and spaces. */
function cases(map: ReadonlyMap<string, readonly string[]>, line: (key: string, words: string) => string): string[] {
  return Array.from(map, ([key, words]) => line(key, words.join(" ")));
}

const shellCase = (key: string, words: string) => `    '${key}') echo '${words}' ;;`;

/** Returns functions for bash and zsh that print the possible next words. */
function shellFunctions({ firsts, words, flags, values }: Choices): string[] {
  const shellFunction = (name: string, lines: readonly string[]) => [
    `_itemtape_${name}() {`,
    '  case "$1" in',
    ...lines,
    "  esac",
    "}",
  ];
  return [
    ...shellFunction("words", [shellCase("", firsts.join(" ")), ...cases(words, shellCase)]),
    ...shellFunction("flags", cases(flags, shellCase)),
    ...shellFunction("values", cases(values, shellCase)),
    choicesAtWord,
  ];
}

const choicesAtWord = `# Prints the choices at a word: the number of words before it, the first two, the last, and the word's beginning.
_itemtape_choices() {
  local count=$1 one=$2 two=$3 last=$4 begun=$5 choices
  choices=$(_itemtape_values "$last")
  if [ -n "$choices" ]; then echo "$choices"; return; fi
  case "$begun" in
    -*)
      choices=$(_itemtape_flags "$one $two")
      [ -n "$choices" ] || choices=$(_itemtape_flags "$one") ;;
    *)
      if [ "$count" -eq 0 ]; then choices=$(_itemtape_words "")
      elif [ "$count" -eq 1 ]; then choices=$(_itemtape_words "$one")
      else choices=$(_itemtape_words "$one $two")
      fi ;;
  esac
  echo "$choices"
}`;

function bash(choices: Choices): string[] {
  return [
    "# bash completion of itemtape: source <(itemtape completion bash)",
    ...shellFunctions(choices),
    `_itemtape() {
  local begun=\${COMP_WORDS[COMP_CWORD]} last=\${COMP_WORDS[COMP_CWORD - 1]} choices
  COMPREPLY=()
  # The shell splits words at an equals sign; a value follows it.
  if [ "$begun" = "=" ] || [ "$last" = "=" ]; then return; fi
  choices=$(_itemtape_choices "$((COMP_CWORD - 1))" "\${COMP_WORDS[1]}" "\${COMP_WORDS[2]}" "$last" "$begun")
  COMPREPLY=($(compgen -W "$choices" -- "$begun"))
  # The value of a parameter follows at once.
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _itemtape itemtape`,
  ];
}

function zsh(choices: Choices): string[] {
  return [
    "#compdef itemtape",
    "# zsh completion of itemtape: source <(itemtape completion zsh)",
    ...shellFunctions(choices),
    `_itemtape() {
  local begun=\${words[CURRENT]} last=\${words[CURRENT - 1]}
  local -a found open closed
  found=(\${=$(_itemtape_choices "$((CURRENT - 2))" "\${words[2]}" "\${words[3]}" "$last" "$begun")})
  # The value of a parameter follows at once.
  open=(\${(M)found:#*=})
  closed=(\${found:#*=})
  (( \${#open} )) && compadd -S '' -- $open
  (( \${#closed} )) && compadd -- $closed
  (( \${#found} )) || _files
}
if [ "\${funcstack[1]}" = "_itemtape" ]; then _itemtape "$@"; else compdef _itemtape itemtape; fi`,
  ];
}

function fish({ firsts, words, flags, values }: Choices): string[] {
  const fishCase = (key: string, found: string) => `    case '${key}'; string split -- ' ' '${found}'`;
  const fishFunction = (name: string, lines: readonly string[]) => [
    `function ${name}`,
    '  switch "$argv[1]"',
    ...lines,
    "  end",
    "end",
  ];
  return [
    "# fish completion of itemtape: itemtape completion fish | source",
    ...fishFunction("__itemtape_words", [fishCase("", firsts.join(" ")), ...cases(words, fishCase)]),
    ...fishFunction("__itemtape_flags", cases(flags, fishCase)),
    ...fishFunction("__itemtape_values", cases(values, fishCase)),
    `function __itemtape_choices
  set -l before (commandline -opc)
  set -l begun (commandline -ct)
  set -l found (__itemtape_values $before[-1])
  if test -z "$found"; and string match -q -- "-*" "$begun"
    set found (__itemtape_flags "$before[2] $before[3]")
    test -n "$found"; or set found (__itemtape_flags "$before[2]")
  else if test -z "$found"
    switch (count $before)
      case 1; set found (__itemtape_words "")
      case 2; set found (__itemtape_words "$before[2]")
      case "*"; set found (__itemtape_words "$before[2] $before[3]")
    end
  end
  printf '%s\\n' $found
end
complete -c itemtape -a '(__itemtape_choices)'`,
  ];
}
