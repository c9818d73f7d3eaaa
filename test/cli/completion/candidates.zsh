# Prints what zsh offers after the script $1 for each further argument, which is a command line: types the line and the tab
# key in an interactive shell on a pseudo-terminal. A line that begins with '=== ' precedes the candidates of each.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; source ${(q)0:A:h}/zsh-setup.zsh; source ${(q)1}; print rea''dy"
zpty -r shell out $'*ready*\n'
for line in "${@:2}"; do
  print -r -- "=== $line"
  zpty -w -n shell "$line"$'\t'
  zpty -r shell out '*<<<*>>>*'
  print -r -- "${${out#*<<<}%%>>>*}"
  # Ctrl-U empties the line.
  zpty -w -n shell $'\025'
done
zpty -d shell
