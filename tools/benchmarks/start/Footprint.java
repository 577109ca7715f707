import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that objects take in this process, device and driver together. Prints lines of a name
 * and KiB: what is alive on the Java heap, and all that is resident beside the heap.
 *
 * <p>With arguments it measures nothing: it opens one client of a device process and prints "one";
 * after a byte of input it opens CLIENTS more and prints "all"; it exits when its input ends.
 *
 * <pre>Footprint [DEVICE CLIENTS]</pre>
 */
class Footprint {
  private static final int PAIRS = 1000;
  private static final int DEVICES = 20;

  // Refers to what is measured, so that the collector does not free it.
  private static final List<AutoCloseable> KEPT = new ArrayList<>();

  private interface Step {
    void run(int index);
  }

  static void main(String[] arguments) throws IOException {
    if (arguments.length > 0) {
      connect(Device.open(arguments[0]));
      System.out.println("one");
      int unused = System.in.read();
      add(Integer.parseInt(arguments[1]), i -> connect(Device.open(arguments[0])));
      System.out.println("all");
      unused = System.in.read();
      return;
    }
    // What is there once for all, such as classes, is not counted.
    add(1, Footprint::openDevice);
    Device device = Device.open("soft:engine=poll");
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(PAIRS);
    Step pair = i -> openPair(domain, completions);
    add(PAIRS, pair);
    print("pair", PAIRS, pair);
    print("device", DEVICES, Footprint::openDevice);
  }

  private static void openDevice(int index) {
    Device device = Device.open("soft:engine=poll,identity=" + (100 + index));
    KEPT.add(device);
    ProtectionDomain domain = device.allocateProtectionDomain();
    openPair(domain, device.createCompletionQueue(16));
  }

  private static void connect(Device device) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair left = domain.rcQueuePair(completions).create();
    RcQueuePair right = domain.rcQueuePair(completions).create();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    KEPT.add(domain.allocate(64, Access.rights()));
    KEPT.add(device);
  }

  private static void openPair(ProtectionDomain domain, CompletionQueue completions) {
    KEPT.add(domain.rcQueuePair(completions).sendQueue(16).receiveQueue(16).create());
  }

  private static void add(int count, Step step) {
    for (int i = 0; i < count; i++) {
      step.run(i);
    }
  }

  private static void print(String what, int count, Step step) throws IOException {
    long heap = heap();
    long beside = besideHeap();
    for (int i = 0; i < count; i++) {
      step.run(count + i);
    }
    System.out.printf("%s-heap %.1f%n", what, (heap() - heap) / 1024.0 / count);
    System.out.printf("%s-beside %.1f%n", what, (besideHeap() - beside) / 1024.0 / count);
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Resident memory that is not the Java heap, whose pages are all touched at the start. */
  private static long besideHeap() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024
            - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
      }
    }
    throw new IOException("/proc/self/status has no VmRSS");
  }
}
