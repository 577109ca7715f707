# shellcheck shell=sh # sourced
# Prints the comment at the beginning of a tool that was asked for help. Tools source this file with their arguments.
case ${1:-} in
  -h | --help)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 0
    ;;
esac
