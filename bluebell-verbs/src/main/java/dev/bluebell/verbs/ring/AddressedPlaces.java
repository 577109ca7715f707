package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Objects;

/**
 * The end of the destination in requests that name their destination, in bytes from their start:
 * constants from the table of forms. The segments of the operation follow there.
 */
final class AddressedPlaces {
  /** The end of an address vector, which is the end of the first WQEBB. */
  static final int VECTOR_END = message(ServiceType.UD);

  /** The end of a compact address vector, which has only the first 16 bytes. */
  static final int COMPACT_END = VECTOR_END - AddressVector.BYTES + AddressVector.COMPACT_BYTES;

  /** The end of the segment that names a shared receive queue. */
  static final int XRC_END = message(ServiceType.XRC);

  private AddressedPlaces() {}

  private static int message(ServiceType service) {
    return Objects.requireNonNull(WqeForm.of(service, WqeOpcode.SEND, 0)).fixedBytes();
  }
}
