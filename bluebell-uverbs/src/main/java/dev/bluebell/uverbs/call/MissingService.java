package dev.bluebell.uverbs.call;

import java.util.Optional;

/**
 * Services other than the client's device file that clients look for and this device lacks;
 * numbered in {@code shim.h}.
 */
public enum MissingService {
  UMAD(
      "the client looked for /dev/infiniband/umad0, by which applications send management"
          + " datagrams, and which this device does not have. No subnet manager is needed: a RoCE"
          + " port has none, and for an InfiniBand port the device process takes that role;"
          + " 'ibv_devinfo', 'ibstat' and the files under /sys/class/infiniband say what the port"
          + " has, and 'bluebell stat' prints its counters"),
  CONTEXT(
      "a child of fork used a device file that its parent had opened, and got EACCES: its memory"
          + " is not that of the context, whose queues it would share with its parent; open the"
          + " device in the child");

  private final String sentence;

  MissingService(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }

  /** The service with a number; empty for an unknown number. */
  public static Optional<MissingService> of(long number) {
    return number < 0 || number >= values().length
        ? Optional.empty()
        : Optional.of(values()[(int) number]);
  }
}
