# Prints what bash offers after the script $1 for each further argument, which is a command line. A line that begins with
# '=== ' precedes the candidates of each.
source "$1"
shift
for line in "$@"; do
  printf '=== %s\n' "$line"
  COMPREPLY=()
  # bash splits a line at blanks and at '='.
  read -ra COMP_WORDS <<< "${line//=/ = }"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _graphwarden 2> /dev/null
  printf '%s\n' "${COMPREPLY[@]}"
done
