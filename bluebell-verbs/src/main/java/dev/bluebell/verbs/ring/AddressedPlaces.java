package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Objects;

/**
 * Where the requests that name their destination themselves have the end of that, in bytes from
 * their start: constants that come from the table of forms. What the operation needs follows there.
 */
final class AddressedPlaces {
  /** The end of an address vector: exactly that of the first WQEBB. */
  static final int VECTOR_END = message(ServiceType.UD);

  /** The end of an address vector of which only the first 16 bytes are there. */
  static final int COMPACT_END = VECTOR_END - AddressVector.BYTES + AddressVector.COMPACT_BYTES;

  /** The end of the segment that names a shared receive queue. */
  static final int XRC_END = message(ServiceType.XRC);

  private AddressedPlaces() {}

  private static int message(ServiceType service) {
    return Objects.requireNonNull(WqeForm.of(service, WqeOpcode.SEND, 0)).fixedBytes();
  }
}
