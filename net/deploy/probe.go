package deploy

// cacheFolder is where hosts keep what was copied to them, within the user's home.
const cacheFolder = ".cache/sinew"

// probe is a script for the shell of another host: it makes the folder of the command, named by its argument, and prints the
// machine, the home, and whether the command is there. It refuses folders that another user of that host has made or may write to:
// what lies in them would be executed. A command that others may write to is not there.
const probe = `cd && umask 077 && mkdir -p .cache && own=$(id -u) && digest=$1 || exit
refuse() {
	echo "$(pwd)/$1 is not used: another user made it or may write to it ($2, user $4); remove it on that host, or as its owner: chmod go-w" >&2
	exit 1
}
for p in . .cache; do
	set -- $(ls -ldn "$p")
	case $1 in ????????w[!tT]*) refuse "$p" "$@" ;; esac
	case $3 in 0 | "$own") ;; *) refuse "$p" "$@" ;; esac
done
for name in sinew bin "$digest"; do
	p=$p/$name
	mkdir "$p" 2>/dev/null
	set -- $(ls -ldn "$p")
	case $1:$3 in d????-??-*:"$own") chmod 700 "$p" ;; *) refuse "$p" "$@" ;; esac
done
uname -sm && pwd
set -- $(ls -ldn "$p/sinew" 2>/dev/null)
case $1:$3 in -??x?-??-*:"$own") echo there ;; *) echo missing ;; esac`
