package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.server.ProcessMemory;
import dev.bluebell.server.Processes;
import dev.bluebell.server.WatchedProcess;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;

/**
 * A client process, whose unshared memory the device accesses through this class. Every access
 * fails once the process has ended.
 */
final class ClientProcess {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.server.remote");

  private final WatchedProcess process;
  private final ProcessMemory payload;
  private final ProcessMemory probe;

  ClientProcess(WatchedProcess process) {
    this.process = process;
    payload = new ProcessMemory(process);
    probe = new ProcessMemory(process);
  }

  /** The memory, for the thread that runs the device. */
  HcaForeignMemory payload() {
    return payload;
  }

  /**
   * Rejects a range that the process has not mapped or the device can't access; takes any values.
   */
  void requireReachable(long from, long bytes) {
    boolean reachable;
    try (Arena arena = Arena.ofConfined()) {
      reachable =
          bytes >= 0
              && from >= 0
              && from <= Long.MAX_VALUE - bytes
              && Processes.hasMapped(process, from, bytes, false)
              && (bytes == 0 || probe.read(from, arena.allocate(1)));
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "the maps of a client can't be read", e);
      reachable = false;
    }
    if (!reachable) {
      throw Connection.failure(
          "the device process can't reach %d bytes at 0x%x of process %d: use memory of ProtectionDomain.allocate, or allow process_vm_readv (seccomp, /proc/sys/kernel/yama/ptrace_scope)"
              .formatted(bytes, from, process.pid()));
    }
  }
}
