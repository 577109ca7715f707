/**
 * The tests that every device must pass. They use the driver, and bypass it to check that a device
 * refuses requests that the driver never makes.
 *
 * <p>They are JUnit classes that take the device from the configuration parameter {@value
 * dev.bluebell.conformance.BenchExtension#DEVICE}, whose value is a name as {@link
 * dev.bluebell.verbs.Device#open(String)} takes it. A test binds them to a device with a suite that
 * selects this package. Comments such as {@code M12} name rows of {@code docs/machine-model.md}.
 */
@NullMarked
package dev.bluebell.conformance;

import org.jspecify.annotations.NullMarked;
