package dev.bluebell.verbs.ring;

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

  private AddressedPlaces() {}

  private static int message(ServiceType service) {
    return Objects.requireNonNull(WqeForm.of(service, WqeOpcode.SEND, 0)).fixedBytes();
  }
}
