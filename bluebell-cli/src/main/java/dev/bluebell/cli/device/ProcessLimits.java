package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Examines how much memory a process may lock, and the privileges that it has. */
record ProcessLimits(Machine machine) {
  private static final String STATUS = "proc/self/status";

  /** {@code capability.h: CAP_NET_RAW, CAP_IPC_LOCK}. */
  private static final int NET_RAW = 13;

  private static final int IPC_LOCK = 14;

  private static final Pattern LOCKED =
      Pattern.compile("(?m)^Max locked memory +(\\S+) +\\S+ +bytes");

  /** With less, only the queues of a few connections can be pinned. */
  private static final long FEW_LOCKED_BYTES = 64L << 20;

  /** The mapping of the initial user namespace, which has all user ids. */
  private static final Pattern ALL_USERS = Pattern.compile("0\\s+0\\s+4294967295");

  Examination lockedMemory() {
    String subject = "locked memory";
    Matcher limit = LOCKED.matcher(machine.text("proc/self/limits").orElse(""));
    if (!limit.find()) {
      return new Examination(
          subject, Verdict.UNKNOWN, "the limit can't be read", "ulimit -l prints it.");
    } else if (limit.group(1).equals("unlimited")) {
      return Examination.good(subject, "no limit");
    } else {
      long bytes = Long.parseLong(limit.group(1));
      String found = "up to %,d KiB a process".formatted(bytes >> 10);
      boolean lifted = has(IPC_LOCK) && isOfInitialNamespace();
      if (bytes >= FEW_LOCKED_BYTES || lifted) {
        return Examination.good(subject, lifted ? found + ", but CAP_IPC_LOCK lifts it" : found);
      } else {
        return new Examination(
            subject,
            Verdict.MISSING,
            found,
            "A card pins queues and regions: raise it (limits.conf: USER - memlock unlimited;"
                + " systemd: LimitMEMLOCK=infinity; docker: --ulimit memlock=-1).");
      }
    }
  }

  /** Capabilities of other user namespaces, as in rootless containers, lift no limit. */
  private boolean isOfInitialNamespace() {
    return machine
        .text("proc/self/uid_map")
        .map(text -> ALL_USERS.matcher(text).matches())
        .orElse(true);
  }

  private boolean has(int capability) {
    return machine
        .value(STATUS, "CapEff")
        .map(bits -> (Long.parseUnsignedLong(bits, 16) >>> capability & 1) != 0)
        .orElse(false);
  }

  Examination rights() {
    String subject = "rights";
    if (machine.value(STATUS, "CapEff").isEmpty()) {
      return new Examination(
          subject, Verdict.UNKNOWN, "the process's capabilities can't be read", "");
    }
    return Examination.good(
        subject,
        "CAP_NET_RAW %s, CAP_IPC_LOCK %s; Bluebell needs neither, if memory may be locked"
            .formatted(has(NET_RAW) ? "yes" : "no", has(IPC_LOCK) ? "yes" : "no"));
  }
}
