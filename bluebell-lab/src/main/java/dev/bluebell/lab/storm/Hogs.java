package dev.bluebell.lab.storm;

/** A process with a given number of threads that only use processor time. */
final class Hogs {
  private Hogs() {}

  public static void main(String[] arguments) {
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      Thread.ofPlatform().start(Hogs::spin);
    }
    System.out.println("ready");
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
