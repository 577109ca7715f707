# shellcheck shell=sh # sourced
# What all tools begin with: they source this file, with their arguments.

# dash runs no EXIT trap when a signal ends it, which would leave files and processes behind.
trap 'exit 130' HUP INT TERM

# Prints the comment at the beginning of a tool that was asked for help.
case ${1:-} in
  -h | --help)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 0
    ;;
esac
