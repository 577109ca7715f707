package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.ExpectsDelivery;
import dev.bluebell.conformance.ExpectsRefusal;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device whose fabric loses, repeats, delays and reorders packets, and whose time
 * passes only when it is idle. Excludes tests in which a responder refuses a request, because the
 * NAK is sent only once and may be lost, and tests in which each message of an unreliable service
 * must arrive.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages({"dev.bluebell.conformance.binding", "dev.bluebell.conformance.vectors"})
@ExcludeTags({ExpectsRefusal.TAG, ExpectsDelivery.TAG})
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "lossy")
@ConfigurationParameter(key = BenchExtension.LOSES, value = "true")
class LossyTest {}
