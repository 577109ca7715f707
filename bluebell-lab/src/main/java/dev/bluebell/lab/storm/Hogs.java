package dev.bluebell.lab.storm;

import java.io.IOException;

/**
 * A process with a given number of threads that only use processor time, until its input ends: so
 * it ends with its parent.
 */
final class Hogs {
  private Hogs() {}

  public static void main(String[] arguments) throws IOException {
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      Thread unused = Thread.ofPlatform().daemon().start(Hogs::spin);
    }
    System.out.println("ready");
    int unused = System.in.read();
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
