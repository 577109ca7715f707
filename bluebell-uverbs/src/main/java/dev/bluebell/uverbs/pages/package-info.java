/**
 * The pages that a client and the device share: pages that the client maps from its device file,
 * and pages of its own memory that the device has mapped.
 */
@NullMarked
package dev.bluebell.uverbs.pages;

import org.jspecify.annotations.NullMarked;
