# Prints what zsh offers after the script $1 for the command line $2: types the line and the tab key in an interactive
# shell on a pseudo-terminal.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; source ${(q)0:A:h}/zsh-setup.zsh; source ${(q)1}; print rea''dy"
zpty -r shell out $'*ready*\n'
zpty -w -n shell "$2"$'\t'
zpty -r shell out '*<<<*>>>*'
print -r -- "${${out#*<<<}%%>>>*}"
zpty -d shell
