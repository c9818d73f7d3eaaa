# Prints what fish offers after the script $argv[1] for the command line $argv[2].
source $argv[1]
complete -C $argv[2]
