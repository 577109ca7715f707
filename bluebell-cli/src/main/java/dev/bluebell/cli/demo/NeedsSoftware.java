package dev.bluebell.cli.demo;

/** A scene needs an option of the software ConnectX, but runs on another device. */
final class NeedsSoftware extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param option of the device {@code soft}, such as {@code mtu=1024}
   */
  NeedsSoftware(String option) {
    super("it needs a software device with %s".formatted(option));
  }
}
