package dev.bluebell.verbs;

/**
 * Builder of the address of a queue pair or a target.
 *
 * @param <B> the builder itself
 */
public interface AddressBuilder<B extends AddressBuilder<B>> {
  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  B port(int number);

  /**
   * Sets the entry of the port's GID table that is the address. Default: on InfiniBand 0, the
   * port's own GID; on Ethernet the IPv4 entry of RoCE v2, usually 3, or else the first entry of
   * RoCE v2.
   *
   * @param index 0 … 255
   */
  B gidIndex(int index);

  /**
   * InfiniBand: sets the low bits of the LID, which choose one of the port's 2<sup>LMC</sup> LIDs
   * as the address. Packets leave from it, and the endpoint contains it. Responses of a DC target
   * leave from the LID to which the request was sent. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  B pathBits(int bits);

  /**
   * Sets the index in the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  B pkeyIndex(int index);
}
