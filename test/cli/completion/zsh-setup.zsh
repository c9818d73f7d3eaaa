# Makes an interactive zsh print the candidates of each completion between '<<<' and '>>>', and nothing else.
setopt no_beep no_auto_list no_auto_menu
# The list of all functions is the same for each line, and takes longer than the rest.
autoload -Uz compinit && compinit -C -d $COMPLETION_DUMP
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
# zsh forgets these functions whenever it calls them.
begin-candidates() { print -rn -- '<<<'; compprefuncs=(begin-candidates) }
end-candidates() { print -rn -- '>>>'; comppostfuncs=(end-candidates) }
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
