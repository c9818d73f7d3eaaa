# Makes an interactive zsh print the candidates of a completion between '<<<' and '>>>'.
setopt no_beep
# The list of all functions is the same for each line, and takes longer than the rest.
autoload -Uz compinit && compinit -C -d $COMPLETION_DUMP
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
begin-candidates() { print -rn -- '<<<' }
end-candidates() { print -rn -- '>>>' }
compprefuncs=(begin-candidates)
comppostfuncs=(end-candidates)

compadd() {
  # With these options, compadd fills arrays instead of adding candidates.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a candidates
  builtin compadd -A candidates "$@"
  (( $#candidates )) && print -rl -- $candidates
  builtin compadd "$@"
}
