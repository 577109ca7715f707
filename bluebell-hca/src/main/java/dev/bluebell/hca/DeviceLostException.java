package dev.bluebell.hca;

/**
 * The device is lost with all its objects, because its process has ended. Open a device and create
 * everything again.
 */
public final class DeviceLostException extends HcaException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the device and the remedy
   * @param output substitute for the device's answer
   */
  public DeviceLostException(String message, byte[] output) {
    super(message, output);
  }

  /**
   * @param message names the device and the remedy
   */
  public DeviceLostException(String message) {
    super(message);
  }
}
