package dev.bluebell.verifier;

/**
 * An action of a device while it executes an image.
 *
 * @param entry the WQE or receive entry that causes it: "WQE 3 of queue 0x40 (worker)"
 * @param request name of the opcode; empty before the device has read it
 * @param what the action: "reads buffer+0x0, 8 bytes"
 */
public record Event(String entry, String request, String what) {
  @Override
  public String toString() {
    return request.isEmpty()
        ? "%s %s".formatted(entry, what)
        : "%s (%s) %s".formatted(entry, request, what);
  }
}
