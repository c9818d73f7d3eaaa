# Prints what fish offers after the script $argv[1] for each further argument, which is a command line. A line that begins
# with '=== ' precedes the candidates of each.
source $argv[1]
for line in $argv[2..]
    printf '=== %s\n' $line
    complete -C $line
end
