package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.AddressBuilder;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.GidTable;
import dev.bluebell.verbs.value.Ranges;

/** Implements {@link AddressBuilder}. */
public abstract class AddressBuilderImpl<B extends AddressBuilder<B>> implements AddressBuilder<B> {
  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;

  /** This builder as its own type. */
  @SuppressWarnings("unchecked")
  protected final B self() {
    return (B) this;
  }

  @Override
  public B port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return self();
  }

  @Override
  public B gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return self();
  }

  @Override
  public B pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return self();
  }

  @Override
  public B pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return self();
  }

  /** Returns the address on a device. */
  public final LocalAddress address(DeviceContext device) {
    return LocalAddress.of(device, port, gidIndex, pkeyIndex, pathBits);
  }
}
