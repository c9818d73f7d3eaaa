# Prints what bash offers after the script $1 for the command line $2.
source "$1"
# bash splits a line at blanks and at '='.
read -ra COMP_WORDS <<< "${2//=/ = }"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_graphwarden 2> /dev/null
printf '%s\n' "${COMPREPLY[@]}"
