#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What users do with an unpacked distribution; tools/dist-check.sh runs it where nothing else of the project is.
# usage: dist-walk.sh ROOM, a folder that has the distribution in "a place", Hadoop in hadoop, and examples.jar
set -euo pipefail
room=$1
dist=$(echo "$room/a place"/shredder-*)
started=()

end() {
  local status=$?
  [[ ${#started[@]} == 0 ]] || kill "${started[@]}" 2>/dev/null || :
  wait
  [[ $status == 0 ]] || { echo "dist-walk: failed at: $now" >&2; tail -n 8 "$room"/desk/*.log >&2; }
}
trap end EXIT
trap 'exit 1' INT TERM
now='its beginning'

# Says what is done from here on, and how long the step before took.
step() {
  [[ $now == its* ]] || echo "ok  $now ($(((${EPOCHREALTIME/[.,]/} - since) / 1000)) ms)"
  now=$1
  since=${EPOCHREALTIME/[.,]/}
}

fail() {
  echo "dist-walk: $*" >&2
  exit 1
}

# expect CODE TEXT COMMAND..: a command that ends with the code and says the text in its one line of standard error.
expect() {
  local code=$1 text=$2 status=0 said
  shift 2
  said=$("$@" 2>&1 >/dev/null) || status=$?
  [[ $status == "$code" && $said == *"$text"* && $said != *$'\n'* ]] || fail "$* ended with $status and said: $said"
}

# await SECONDS COMMAND..: until it works.
await() {
  local i
  for ((i = 0; i < $1 * 5; i++)); do
    ! "${@:2}" >/dev/null 2>&1 || return 0
    sleep 0.2
  done
  fail "after $1 s this is not so: ${*:2}"
}

# figure NAME: of a line of JSON.
figure() { grep -oE "\"$1\":[0-9]+" | head -1 | cut -d: -f2; }

mkdir "$room/desk" "$room/links" "$room/without java" "$room/old"
cd "$room/desk"
for program in "$dist"/bin/*; do
  [[ $program == *.sh ]] || ln -s "$program" "$room/links/"
done
export PATH=$room/links:$PATH

step "each program says its version, from any folder, through a link, under a path with spaces"
for program in "$room"/links/*; do
  said=$(cd / && "$program" --version)
  [[ $said =~ ^${program##*/}\ [0-9.]+(-SNAPSHOT)?\ \([0-9a-f]{12}\+?\)$ ]] || fail "$program --version says: $said"
done
echo "    $said"

step "Java that is missing or too old is named in one line"
for tool in bash env dirname readlink locale nproc; do
  ln -s "$(command -v "$tool")" "$room/without java/"
done
expect 1 "no java found: install a Java 17 runtime" env -u JAVA_HOME PATH="$room/without java" "$dist/bin/shredder" devices
mkdir "$room/old/bin"
printf '#!/bin/sh\necho openjdk version \\"11.0.2\\" >&2\n' >"$room/old/bin/java"
chmod +x "$room/old/bin/java"
expect 1 "is Java 11: install a Java 17 runtime" env JAVA_HOME="$room/old" "$dist/bin/shredder" devices

step "the words of programs are completed"
for program in backup-agent backup-server shredder shredder-backup; do
  (
    set +u
    # shellcheck source=/dev/null
    . "$dist/share/bash-completion/completions/$program"
    COMP_WORDS=("$program" --v) COMP_CWORD=1
    "_complete_$program"
    [[ " ${COMPREPLY[*]} " == *" --version "* ]]
  ) || fail "the completion of $program does not know --version"
done

step "shredder cuts a file, codes it, and gives it back without two of five pieces"
head -c 50000000 /dev/urandom >file
shredder chunk file >chunks 2>/dev/null
[[ $(wc -l <chunks) -gt 100 ]] || fail "chunk printed: $(head -3 chunks)"
mkdir disk{1..5}
shredder code file --data 3 --parity 2 --to disk{1..5} >/dev/null 2>&1
rm -r disk1 disk4
shredder decode disk* --to decoded 2>/dev/null
cmp file decoded

step "an image is backed up through TLS"
backup-agent certs --out certs --agent-host 127.0.0.1 --client site1 >/dev/null
shredder-backup key create backup.key --new-secret-file backup.secret >/dev/null
cp "$dist/share/examples/rights.yaml" .
sed -i 's/rights: \[append, restore\]/rights: [append, restore, prune]/' rights.yaml
serve() {
  rm -f port
  backup-agent serve "$@" --listen 127.0.0.1:0 --port-file port --rights rights.yaml \
    --cert certs/agent.crt --key certs/agent.key --ca certs/ca.crt >>agent.log 2>&1 &
  started+=($!)
  await 30 test -s port
  agent=(--agent "127.0.0.1:$(<port)" --cert certs/client-site1.crt --key certs/client-site1.key --ca certs/ca.crt)
}
serve --repo repository
key=(--repository-key backup.key --secret-file backup.secret --state state)
head -c 200000000 /dev/urandom >vm.img
shredder-backup backup vm.img --name vm "${key[@]}" --cache cache "${agent[@]}" --json >first.json
[[ $(figure newBytes <first.json) == 200000000 ]] || fail "$(<first.json)"

step "the second backup sends next to nothing"
printf CHANGED | dd of=vm.img bs=1 seek=120000000 conv=notrunc status=none
shredder-backup backup vm.img --name vm "${key[@]}" --cache cache "${agent[@]}" --json >second.json
sent=$(figure bytesSent <second.json)
((sent < 200000)) || fail "$(<second.json)"
echo "    $(figure bytesSent <first.json) bytes, then $sent"

step "it is restored to the bit, and all that the agent has is verified"
shredder-backup restore vm --to restored.img "${key[@]}" "${agent[@]}" >/dev/null
cmp vm.img restored.img
shredder-backup verify "${agent[@]}" >/dev/null

step "the daemon runs a job"
cat >server.yaml <<END
version: 1
agent: {address: "127.0.0.1:$(<port)", certificate: certs/client-site1.crt, key: certs/client-site1.key, authority: certs/ca.crt}
repository-key: {file: backup.key, secret-file: backup.secret}
state: server-state
jobs:
  nightly:
    images:
      vm2: {file: $room/desk/vm.img}
END
backup-server check-config --config server.yaml >/dev/null
backup-server run nightly --config server.yaml >server.log 2>&1
[[ $(shredder-backup list "${agent[@]}" --json | grep -o '"name":"vm2"' | wc -l) == 1 ]] || fail "there is no vm2"

step "a quick start is made, and is used"
shredder-quick-start
SHREDDER_JAVA_OPTS=-Xshare:on shredder-backup stats "${agent[@]}" >/dev/null

step "without a Hadoop, bin/hdfs says what it needs"
expect 1 "set HADOOP_HOME to where Hadoop is installed" hdfs dfs -ls /

step "HDFS starts: a NameNode and three DataNodes"
export HADOOP_HOME=$room/hadoop HADOOP_CONF_DIR=$room/conf
# Clients that live for seconds only lose by compiling to the last.
export HADOOP_CLIENT_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
name_port=$((10240 + RANDOM % 20000)) # The other end of the range than where the kernel takes its own.
mkdir -p conf-of "$HADOOP_CONF_DIR/shellprofile.d" conf-of/webapps/{hdfs,datanode}
property() { echo "<property><name>$1</name><value>$2</value></property>"; }
# site NAME KEY VALUE..: writes a file of properties.
site() {
  local file=$HADOOP_CONF_DIR/$1-site.xml
  shift
  echo "<configuration>" >"$file"
  while [[ $# != 0 ]]; do
    property "$1" "$2" >>"$file"
    shift 2
  done
  echo "</configuration>" >>"$file"
}
site core fs.defaultFS "hdfs://127.0.0.1:$name_port" hadoop.tmp.dir "$room/desk/tmp" \
  io.erasurecode.codec.rs.rawcoders rs_shredder,rs_java io.erasurecode.codec.xor.rawcoders xor_shredder,xor_java
site hdfs dfs.namenode.http-address 127.0.0.1:0 dfs.namenode.name.dir "file://$room/desk/name" \
  dfs.namenode.safemode.extension 0 dfs.namenode.datanode.registration.ip-hostname-check false \
  dfs.datanode.address 127.0.0.1:0 dfs.datanode.http.address 127.0.0.1:0 dfs.datanode.ipc.address 127.0.0.1:0 \
  dfs.heartbeat.interval 1 dfs.blocksize 4m
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
opens=(--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED
  --add-opens=java.base/java.util.concurrent=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED)
printf 'log4j.rootLogger=INFO, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\nlog4j.appender.out.target=System.err\nlog4j.appender.out.layout=org.apache.log4j.SimpleLayout\n' >conf-of/log4j.properties
# daemon NAME CLASS ARGS..: in this process.
daemon() {
  exec "$java" -Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${opens[@]}" \
    -cp "$room/desk/conf-of:$("$HADOOP_HOME/bin/hadoop" classpath)" "org.apache.hadoop.hdfs.server.$2" "${@:3}" >"$1.log" 2>&1
}
cp "$dist"/hadoop/coder/*.jar "$HADOOP_HOME/lib/"
(daemon format namenode.NameNode -format -force)
daemon namenode namenode.NameNode &
started+=($!)
for i in 1 2 3; do
  daemon "datanode$i" datanode.DataNode -D "dfs.datanode.data.dir=file://$room/desk/data$i" &
  started+=($!)
  nodes[i]=$!
done
live_nodes() { [[ $(grep -c "registerDatanode: from" namenode.log) -ge $1 ]]; }
await 60 live_nodes 3

step "hdfs dfs -copyFromLocalGPU, by bin/hdfs"
awk 'BEGIN { srand(7); for (i = 0; i < 400000; i++) print "word" int(rand() * 5000), "line" i % 977, i % 13 }' >text
hdfs dfs -mkdir -p /data
hdfs dfs -copyFromLocalGPU -avg 256k text /data/text >upload
sed '150000i another line' text >text2
hdfs dfs -copyFromLocalGPU -avg 256k text2 /data/text2 >>upload
hdfs dfs -verifyChunks /data/text /data/text2 >>upload
hdfs dfs -cat /data/text2 | cmp - text2
echo "    $(hdfs dfs -chunkDiff /data/text /data/text2 | tail -1)"

step "the same by a stock Hadoop's hdfs, with the shell profile and the jars"
mkdir -p "$HADOOP_HOME/share/hadoop/shredder"
cp "$dist"/hadoop/client/*.jar "$HADOOP_HOME/share/hadoop/shredder/"
cp "$dist/hadoop/shellprofile.d/inc-hdfs.sh" "$HADOOP_CONF_DIR/shellprofile.d/"
"$HADOOP_HOME/bin/hdfs" dfs -copyFromLocalGPU text /data/text3 >>upload 2>>plugin.log
"$HADOOP_HOME/bin/hdfs" dfs -verifyChunks /data/text3 >>upload 2>>plugin.log
"$HADOOP_HOME/bin/hadoop" incoop --version >/dev/null 2>>plugin.log

step "a job runs twice by incoop; the second one maps only what has changed"
job() {
  incoop jar "$room/examples.jar" wordcount -D "mapreduce.framework.name=$1" -D mapreduce.job.reduces=2 "$2" "$3" >>jobs.log 2>&1
}
job inc-local /data/text /out1
incoop stats --json >stats1
job inc-local /data/text2 /out2
incoop stats --json >stats2
job local /data/text2 /plain
hdfs dfs -cat /out2/part-r-00000 /out2/part-r-00001 >incremental
hdfs dfs -cat /plain/part-r-00000 /plain/part-r-00001 | cmp - incremental
reused=$(figure reusedChunks <stats2)
(($(figure reusedChunks <stats1) == 0 && reused * 10 >= $(figure chunks <stats1) * 8)) || fail "$(cat stats1 stats2)"
echo "    $(figure chunks <stats1) chunks, of which the second run took $reused from the first"

step "an agent keeps a backup in HDFS"
serve --repo repository2 --store "hdfs://127.0.0.1:$name_port/backup"
shredder-backup backup file --name file "${key[@]/#state/state2}" "${agent[@]}" >/dev/null
shredder-backup restore file --to from-hdfs "${key[@]/#state/state2}" "${agent[@]}" >/dev/null
cmp file from-hdfs
step "an erasure-coded directory has the coder's jars, and is read without one DataNode"
"$java" "${opens[@]}" -cp "$HADOOP_CONF_DIR:$HADOOP_HOME/lib/*" io.shredder.hdfscoder.WhichCoder >coders 2>>plugin.log
[[ $(grep -cE '^(rs: rs|xor: xor)_shredder ' coders) == 2 ]] || fail "$(<coders)"
ec() { "$java" -XX:TieredStopAtLevel=1 "${opens[@]}" -cp "conf-of:$("$HADOOP_HOME/bin/hadoop" classpath)" org.apache.hadoop.hdfs.tools.ECAdmin "$@" >>ec.log 2>&1; }
hdfs dfs -mkdir /coded
ec -enablePolicy -policy XOR-2-1-1024k
ec -setPolicy -path /coded -policy XOR-2-1-1024k
hdfs dfs -put text /coded/text
kill -9 "${nodes[1]}"
wait "${nodes[1]}" 2>/dev/null || :
hdfs dfs -cat /coded/text 2>>ec.log | cmp - text

step its end
